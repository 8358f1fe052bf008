import type { AwaitedHost, PlaceQueue } from "../schema/index.ts"

/** What work waits for, and what somebody has to do. */
export interface AwaitedText {
  /** Follows "waits" or "wait". */
  what: string
  remedy: string
  /** What to type; null when a page is the easier way. */
  command: string | null
}

const serve = "docket serve --role worker"

/** In words, for people who may know the names of hosts. */
export function awaitedText({ kind, name, why }: AwaitedHost): AwaitedText {
  const who = nameOf(kind, name)
  if (why === "draining")
    return {
      what: `for ${who}, which takes no more work at present.`,
      remedy: "Let it take work again, in Settings under Nodes.",
      command: null,
    }
  if (kind === "any") return { what: `for ${who}: none is there.`, remedy: "Start one:", command: serve }
  const [remedy, command] =
    kind === "host" ? ["Start Docket there again:", serve] : ["Start Docket on one:", `${serve} --storage ${name}`]
  return { what: `for ${who}, which has the files.`, remedy, command }
}

function nameOf(kind: AwaitedHost["kind"], name: string | null): string {
  if (kind === "host") return `host ${name}`
  return kind === "storage" ? `a host with the storage ${name}` : "a worker"
}

/** How many sessions wait at a place that nobody serves, and what somebody has to do. */
export function queueText({ name, waiting, awaited }: PlaceQueue): string {
  const who = waiting === 1 ? "1 session waits" : `${waiting} sessions wait`
  if (awaited === null)
    return `${who} for ${name}: no worker there takes sessions. docket to-nodes gives them to a host.`
  const { what, remedy, command } = awaitedText(awaited)
  return [who, what, remedy, command].filter((part) => part !== null).join(" ")
}
