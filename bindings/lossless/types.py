# SPDX-License-Identifier: GPL-2.0-only
"""What the package takes as a time and so on, for annotations."""

import os
from typing import Union

from ._lossless import DataRate, Part, Time

TimeLike = Union[Time, str]
DataRateLike = Union[DataRate, str, int]
Size = Union[int, str]
PartLike = Union[Part, str]
PathLike = Union[str, "os.PathLike[str]"]
