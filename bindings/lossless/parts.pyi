# SPDX-License-Identifier: GPL-2.0-only
# Written by utils/make-stubs from the module; do not edit.
"""The congestion controls by their names in the field."""

from ._lossless import Part
from .types import DataRateLike, TimeLike

def Dcqcn(*, dialect: str = ..., gain: float = ..., initial_alpha: float = ..., ai_rate: DataRateLike = ..., hai_rate: DataRateLike = ..., min_rate: DataRateLike = ..., cnp_interval: TimeLike = ..., alpha_timer: TimeLike = ..., increase_timer: TimeLike = ..., byte_counter: int = ..., fast_recovery_times: int = ..., decrease_timer: TimeLike = ..., min_decrease_factor: float = ..., first_cnp_factor: float = ..., clamp_target: bool = ...) -> Part:
    """DCQCN (Zhu et al., SIGCOMM 2015)."""
def Timely(*, ewma_gain: float = ..., beta: float = ..., delta: DataRateLike = ..., low_threshold: TimeLike = ..., high_threshold: TimeLike = ..., min_rtt: TimeLike = ..., hyper_increase_after: int = ..., hyper_increase_factor: int = ..., segment: int = ..., min_rate: DataRateLike = ..., start_at_line_rate: bool = ..., initial_rate: DataRateLike = ..., burst_pacing: bool = ...) -> Part:
    """TIMELY (Mittal et al., SIGCOMM 2015)."""
def PatchedTimely(*, ewma_gain: float = ..., beta: float = ..., delta: DataRateLike = ..., low_threshold: TimeLike = ..., high_threshold: TimeLike = ..., min_rtt: TimeLike = ..., hyper_increase_after: int = ..., hyper_increase_factor: int = ..., segment: int = ..., min_rate: DataRateLike = ..., start_at_line_rate: bool = ..., initial_rate: DataRateLike = ..., burst_pacing: bool = ...) -> Part:
    """Patched TIMELY (Zhu et al., CoNEXT 2016)."""
def Hpcc(*, eta: float = ..., max_stage: int = ..., additive_increase: int = ..., min_window: int = ..., increase_rate: DataRateLike = ..., min_rate: DataRateLike = ..., base_rtt: TimeLike = ..., fast_react: bool = ..., once_per_rtt: bool = ..., multi_rate: bool = ..., sample_feedback: bool = ..., use_window: bool = ..., variable_window: bool = ..., telemetry: str = ..., link_speeds: str = ..., multiplier: int = ..., pint_base: float = ..., pint_probability: float = ...) -> Part:
    """HPCC and HPCC-PINT (Li et al., SIGCOMM 2019)."""
def Icc(*, variant: str = ..., feedback: str = ..., min_rate: DataRateLike = ..., limit_window: bool = ..., hold_round_trips: float = ..., round_trip: TimeLike = ..., signal_delay: TimeLike = ..., source_delay: TimeLike = ..., loop_delay: TimeLike = ...) -> Part:
    """ICC (Wang et al., CMC 2023)."""
def Pcn(*, interval: TimeLike = ..., congested_percent: int = ..., min_weight: float = ..., max_weight: float = ..., min_rate: DataRateLike = ...) -> Part:
    """PCN (Cheng et al., NSDI 2020)."""
def Swift(*, base_target: TimeLike = ..., hop_scaling: TimeLike = ..., flow_scaling_range: TimeLike = ..., flow_scaling_min_window: float = ..., flow_scaling_max_window: float = ..., endpoint_control: bool = ..., endpoint_target: TimeLike = ..., endpoint_gain: float = ..., additive_increase: float = ..., beta: float = ..., max_decrease: float = ..., min_window: float = ..., max_window: float = ..., retransmit_reset_threshold: int = ..., start_at_line_rate: bool = ..., initial_window: float = ..., pacing: bool = ...) -> Part:
    """Swift (Kumar et al., SIGCOMM 2020)."""
def Dctcp(*, control: str = ..., use_window: bool = ..., variable_window: bool = ..., gain: float = ..., initial_alpha: float = ..., increase: DataRateLike = ..., min_rate: DataRateLike = ..., base_rtt: TimeLike = ...) -> Part:
    """DCTCP's reaction, for queue pairs."""
def FixedRate(*, rate: DataRateLike = ...) -> Part:
    """Line rate, or any fixed rate."""
def FixedWindow(*, window: int = ...) -> Part:
    """A fixed window."""
