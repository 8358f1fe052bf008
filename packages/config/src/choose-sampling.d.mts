/** Chooses what the tests of a run draw; says a seed that it made itself, and sets it in `env` for the processes after. */
export function chooseSampling(env: Record<string, string | undefined>): { seed: number; full: boolean }
