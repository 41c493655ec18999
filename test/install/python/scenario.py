# SPDX-License-Identifier: GPL-2.0-only
import sys

import lossless as ll

fabric = ll.Fabric.star(4)
fabric.poisson(sys.argv[1], load=0.3, duration="100us")
print(ll.__version__, ll.__file__)
print(fabric.run().summary())
