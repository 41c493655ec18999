# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx configuration of the chapters when they are built alone, by utils/make-docs."""

import os
import re

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "CMakeLists.txt"),
          encoding="ascii") as file:
    version = release = re.search(r"lossless_version (\S+)\)", file.read())[1]

project = "lossless"
author = "the lossless authors"
master_doc = "lossless"
html_theme = "alabaster"
html_theme_options = {"page_width": "1255px", "body_max_width": "1000px", "sidebar_width": "225px"}
html_static_path = ["_static"]  # custom.css, which the theme reads
html_title = "lossless " + version
html_copy_source = False
html_show_copyright = False
highlight_language = "none"
