# SPDX-License-Identifier: GPL-2.0-only
"""What utils/tune is made of."""
