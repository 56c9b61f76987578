# SPDX-License-Identifier: Apache-2.0
"""Makes a page of a run's report."""
