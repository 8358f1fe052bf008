import { readFile } from "node:fs/promises"
import path from "node:path"
import { createDocketClient } from "@docket/client"
import type { Mutation } from "@docket/core/store"
import { openSqliteDatabase } from "@docket/db"
import { openDesk, type TurnPlan } from "../desk.ts"
import type { Stage } from "../measurement.ts"
import { signIn } from "../sign-in.ts"
import { createWorkplace, type Server } from "../workplace.ts"
import { longTranscript, timeOf } from "./long-transcript.ts"

export const childCount = 20
/** Rows per commit while the store is filled. */
const batchSize = 500

/** A service with its web app and one tree: 5,000 parts in the root, and as many in one of its 20 children. */
export interface Site {
  url: string
  /** The header that authenticates a browser. */
  cookie: string
  inbox: string
  root: string
  /** A child session with one small task. */
  child: string
  /** The large child, at a part in the middle of its transcript. */
  deepLink: string
  partID: string
  /** The share link of the tree. */
  share: string
  /** The review desk at the root's own transcript. */
  review: string
  /** The replay of the root, near its end. */
  replay: string
  /** Runs a turn in the root. */
  turn(plan: TurnPlan): Promise<number>
  close(): Promise<void>
}

export async function openSite(stage: Pick<Stage, "provider" | "checkout">): Promise<Site> {
  const workplace = await createWorkplace(stage)
  const firstServer = await workplace.startServer()
  const desk = await openDesk(firstServer, workplace.project)
  const rootID = await desk.createSession()
  await desk.delegateIn(
    rootID,
    { children: childCount },
    { steps: 2, call: { name: "read", args: { filePath: "notes.md" } } },
  )
  desk.close()
  await firstServer.stop()
  const { childID, smallID, partID } = await fillTree(path.join(workplace.data, "docket.db"), rootID)

  const server = await workplace.startServer({ web: true })
  const client = createDocketClient({ url: server.url, token: await tokenOf(server) })
  const share = await client.share.create.mutate({ rootID })
  const liveDesk = await openDesk(server, workplace.project)
  return {
    url: server.url,
    cookie: await signIn(server.loginUrl),
    inbox: "/",
    root: `/s/${rootID}`,
    child: `/s/${rootID}/c/${smallID}`,
    deepLink: `/s/${rootID}/c/${childID}?part=${partID}`,
    partID,
    share: new URL(share.url).pathname,
    review: `/review/${rootID}?task=root`,
    replay: `/s/${rootID}?at=${Date.now()}`,
    turn: (plan) => liveDesk.turn(rootID, plan),
    close: async () => {
      liveDesk.close()
      await server.stop()
      await workplace.remove()
    },
  }
}

/** Writes the long transcripts like a service does, through its store. */
async function fillTree(file: string, rootID: string): Promise<{ childID: string; smallID: string; partID: string }> {
  const database = await openSqliteDatabase({ file, clock: Date.now })
  try {
    const { session, write } = database.store("local")
    const sessions = await session.tree(rootID)
    const [child, small] = sessions.filter(({ parentID }) => parentID === rootID)
    if (child === undefined || small === undefined) throw new Error("the root has no children")
    const ofChild = longTranscript(child.id)
    const backdated = sessions.map((it): Mutation => {
      return { kind: "session", value: { ...it, time: { ...it.time, created: timeOf(0) } } }
    })
    const all = [...backdated, ...longTranscript(rootID), ...ofChild]
    for (let from = 0; from < all.length; from += batchSize)
      await write.commit([{ rootID, mutations: all.slice(from, from + batchSize) }])
    return { childID: child.id, smallID: small.id, partID: middlePart(ofChild) }
  } finally {
    await database.close()
  }
}

/** The answer in the middle of the transcript. */
function middlePart(mutations: readonly Mutation[]): string {
  const answers = mutations.flatMap((it) => (it.kind === "part" && it.value.type === "text" ? [it.value.id] : []))
  const id = answers[answers.length >> 1]
  if (id === undefined) throw new Error("the transcript has no answers")
  return id
}

async function tokenOf(server: Server): Promise<string> {
  return (await readFile(server.tokenFile, "utf8")).trim()
}
