# SPDX-License-Identifier: GPL-2.0-only
"""The error that ends the program with one line and status 2."""


class ReproduceError(Exception):
    """What is wrong, and what would be right, in one line."""
