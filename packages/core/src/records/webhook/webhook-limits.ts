const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const day = 24 * hour

/** What webhooks may use. Times are ms. */
export const webhookLimits = {
  /** Webhooks of a workspace. */
  webhooks: 20,
  /** Deliveries to one webhook at a time: a slow receiver holds up nobody else's. */
  atOnce: 4,
  /** Deliveries in memory, of one webhook. */
  batch: 32,
  /** Rows of a kind that are looked at in one go. */
  news: 100,
  /** Deliveries go so long after they were made, unless they still wait. */
  keep: 7 * day,
  /** A webhook that has failed for so long is disabled. */
  failing: 5 * day,
  /** For how long the secret before the newest one signs. */
  overlap: day,
} as const

/** Waits between the tries of a delivery (ms): a little less than a day in all. Then it is given up. */
const waits = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  7 * hour,
  8 * hour,
]

/**
 * How long to wait after so many tries (ms); null when that was the last.
 *
 * @param random in [0, 1): up to a tenth is added, so that many do not come back at one moment
 */
export function retryWait(tries: number, random: number): number | null {
  const wait = waits[tries - 1]
  return wait === undefined ? null : Math.round(wait * (1 + random / 10))
}
