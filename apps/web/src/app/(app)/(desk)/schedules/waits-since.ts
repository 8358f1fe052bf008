import type { Schedule } from "@docket/core/schema"

/** A run begins within seconds of its due time; one that is later waits for something (ms). */
const soonMs = 30_000

/**
 * Since when a schedule is due (epoch ms) without having begun: its last run goes on, or no worker with its project is
 * there. Null when it does not wait.
 */
export function waitsSince(
  { status, nextFireAt }: Pick<Schedule, "status" | "nextFireAt">,
  now: number,
): number | null {
  return status === "active" && nextFireAt !== null && now - nextFireAt > soonMs ? nextFireAt : null
}
