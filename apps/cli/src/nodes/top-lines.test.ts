import type { ListedNode } from "@docket/core/schema"
import type { SessionListItem } from "@docket/core/store"
import { expect, it } from "vitest"
import { topLines } from "./top-lines.ts"

const now = 100_000
const use = { memory: 150 * 1024 ** 2, processors: 0.256, lag: 12 }

function node(id: string, fields: Partial<ListedNode> = {}): ListedNode {
  return {
    ...{ id, role: "worker", version: "1.2.3", pid: 7, places: ["any"], host: { id: null, name: "rack\u001b" } },
    ...{ state: "live", isHere: false, atWork: 2, waiting: 0, use, time: { started: 0, seen: now } },
    ...fields,
  }
}

// Only the fields that a line shows.
function item(id: string, fields: Partial<SessionListItem> = {}): SessionListItem {
  const session = {
    id,
    parentID: null,
    title: `Title of ${id}`,
    status: { type: "idle" },
    time: { created: 0, updated: now - 5_000 },
  }
  const sums = { running: 0, needsYou: 0, treeTokens: 0, treeCost: 0, children: 0 }
  return { session, ...sums, ...fields } as SessionListItem
}

it("docket top shows what nodes use, and who waits for a node", () => {
  const nodes = [node("a"), node("b", { state: "gone", time: { started: 0, seen: now - 60_000 } })]
  const awaited = { kind: "host", name: "attic", why: "gone" } as const
  const queue = { place: "host:x", name: "attic", waiting: 3, isServed: false, awaited }
  expect(topLines({ nodes: { now, nodes, queues: [queue] }, sessions: [], awaited: new Set(), now })).toEqual([
    "node  host   role    state              memory   processors  event lag  at work  waiting",
    "a     rack   worker  live               150 MiB  0.26        12 ms      2        0",
    "b     rack   worker  gone for 1 m 00 s                                  2        0",
    "3 sessions wait for host attic, which has the files. Start Docket there again: docket serve --role worker",
    "",
    "0 sessions at work; 0 agents run; 0 wait for a person",
  ])
})

it("docket top shows no nodes to who may not see them", () => {
  const sessions = [
    item("ses_1", { running: 2, children: 3, treeTokens: 12_400, treeCost: 0.084 }),
    item("ses_2"),
    item("ses_3", { needsYou: 1 }),
    item("ses_4"),
  ]
  expect(topLines({ nodes: null, sessions, awaited: new Set(["ses_4"]), now })).toEqual([
    "3 sessions at work; 2 agents run; 1 waits for a person",
    "",
    "session  status     agents  for  used                  title",
    "ses_1    running    2 of 4  5 s  12.4K tokens · $0.08  Title of ses_1",
    "ses_3    needs you  0 of 1  5 s  nothing               Title of ses_3",
    "ses_4    host away  0 of 1  5 s  nothing               Title of ses_4",
  ])
})
