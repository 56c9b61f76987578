# SPDX-License-Identifier: Apache-2.0
"""What scripts/pbench and scripts/plot-pbench are made of."""
