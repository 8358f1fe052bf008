/** What became of the things that a removed person leaves behind. */
type OffboardingResult = "withdrawn" | "stopped" | "running" | "paused" | "hidden" | "keys" | "tokens" | "webhooks"

const words: Record<OffboardingResult, readonly [one: string, more: string]> = {
  withdrawn: ["prompt that waited was withdrawn", "prompts that waited were withdrawn"],
  stopped: ["running turn was stopped", "running turns were stopped"],
  running: ["running turn goes on to its end", "running turns go on to their end"],
  paused: ["schedule is paused", "schedules are paused"],
  keys: ["key of a program ended", "keys of programs ended"],
  tokens: ["token for /v1 ended", "tokens for /v1 ended"],
  webhooks: ["webhook that they made goes on", "webhooks that they made go on"],
  hidden: ["private session is seen by nobody now", "private sessions are seen by nobody now"],
}

/** One sentence part for each count above 0. */
export function offboardingMessages(left: Partial<Record<OffboardingResult, number>>): string[] {
  return (Object.keys(words) as OffboardingResult[]).flatMap((kind) => {
    const count = left[kind] ?? 0
    return count === 0 ? [] : [`${count.toLocaleString("en")} ${words[kind][count === 1 ? 0 : 1]}`]
  })
}
