# SPDX-License-Identifier: Apache-2.0
"""The parts of scripts/pbench, scripts/plot-pbench and scripts/tile2d."""
