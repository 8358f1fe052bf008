import type { PageReads } from "@docket/client/pages"
import type { Project } from "@docket/core/schema"
import { headers } from "next/headers"
import { usualAgent } from "../../../features/composer/usual-agent.ts"
import { readFirst } from "../../../features/transcript/first/read-first.ts"
import { projectIn } from "../../../shell/last-project.ts"
import { inboxLimits } from "./inbox-limits.ts"

type Read<Name extends keyof PageReads, Method extends keyof PageReads[Name]> = PageReads[Name][Method] extends (
  ...given: never[]
) => Promise<infer Answer>
  ? Answer
  : never

/** What the document of the inbox brings along: its lists, and what the prompt field will ask for. */
export interface FirstInbox {
  sessions: Read<"session", "list">
  projects: Project[]
  awaiting: Read<"review", "awaiting">
  proposed: Read<"todo", "proposed">
  toReview: Read<"review", "inbox">
  ask: { projectID: string; agent: string } | null
}

/** Longer lists come after their page (UTF-16 units, as JSON). */
const longest = 150_000

/** Null for what comes after the page: long lists, and that of somebody who has done nothing yet. */
export async function readFirstInbox(): Promise<FirstInbox | null> {
  const cookie = (await headers()).get("cookie") ?? ""
  return readFirst(async (reads) => {
    const [sessions, projects, awaiting, proposed, toReview] = await Promise.all([
      reads.session.list({ limit: inboxLimits.sessions }),
      reads.project.list(),
      reads.review.awaiting(),
      reads.todo.proposed(),
      reads.review.inbox({ limit: inboxLimits.toReview }),
    ])
    const lists = { sessions, projects, awaiting, proposed, toReview }
    // Where nothing was done yet, a guide stands that knows this very browser.
    if (sessions.items.length === 0 || JSON.stringify(lists).length > longest) return null
    const project = projectIn(cookie, projects)
    return { ...lists, ask: project === undefined ? null : await whomToAsk(reads, project.id).catch(() => null) }
  })
}

async function whomToAsk(reads: PageReads, projectID: string): Promise<FirstInbox["ask"]> {
  const [{ config }, agents] = await Promise.all([reads.config.get({ projectID }), reads.agent.list({ projectID })])
  return { projectID, agent: usualAgent(config.default_agent, agents) }
}
