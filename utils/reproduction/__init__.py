# SPDX-License-Identifier: GPL-2.0-only
"""What utils/reproduce is made of: runs, results, claims, figures and the report, and a module per
paper in papers/."""
