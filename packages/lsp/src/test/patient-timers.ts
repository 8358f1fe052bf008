import { nodeTimers, type Timers } from "@docket/core/timers"

/** Timers without a time limit, for real programs on a machine that is busy with other tests. */
export const patientTimers: Timers = { ...nodeTimers, after: () => () => {} }
