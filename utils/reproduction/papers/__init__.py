# SPDX-License-Identifier: GPL-2.0-only
"""One module per paper: which runs it needs, and what they show.

A module has TITLE, SOURCE (the citation), runs(options) and evaluate(results, options), which
returns an Evaluation. `results` has an entry for each run, by its name.
"""
