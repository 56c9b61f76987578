# SPDX-License-Identifier: Apache-2.0
"""What Forerun's tools have in common: how they end, what they write, and that they are at work."""
