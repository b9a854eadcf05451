"""How the documentation is built: `sphinx-build docs docs/_build`."""

from minigrad._version import __version__

project = "minigrad"
author = "the minigrad authors"
project_copyright = author
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["deflist", "dollarmath"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_use_ivar = True
default_role = "code"  # docstrings write `name`, as Markdown does

html_theme = "furo"
html_title = f"minigrad {release}"
