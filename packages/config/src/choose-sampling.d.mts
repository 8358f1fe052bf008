/** Chooses what the tests of a run draw. A new seed is printed, and set in `env` for the processes started later. */
export function chooseSampling(env: Record<string, string | undefined>): { seed: number; full: boolean }
