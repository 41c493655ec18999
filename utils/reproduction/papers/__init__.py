# SPDX-License-Identifier: GPL-2.0-only
"""One module per paper: which runs it needs, and what they show.

A module has TITLE, SOURCE (the citation), and

samples(options)              how many samples its claims have
runs(options, sample)         the runs of a Sample; a run has the same name in all of them
measure(results, options)     what is measured of a sample; results has an entry for each run, by name
evaluate(measured, options)   an Evaluation of a sample
draw(samples, options)        the figures; samples is the list of what measure() returned

and where it needs them: conclude(evaluation, samples, options) adds what only all samples together
show; headlines(evaluation) are the lines that a newcomer should see; finish(samples, evaluation,
folder, options) writes further files.
"""
