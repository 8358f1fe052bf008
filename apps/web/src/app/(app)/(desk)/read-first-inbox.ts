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

/** The data that is sent with the inbox page: its lists, and the project and agent of the prompt field. */
export interface FirstInbox {
  sessions: Read<"session", "list">
  projects: Project[]
  awaiting: Read<"review", "awaiting">
  proposed: Read<"todo", "proposed">
  toReview: Read<"review", "inbox">
  ask: { projectID: string; agent: string } | null
}

/** Longer lists are loaded after the page (UTF-16 units, as JSON). */
const longest = 150_000

/** Returns null for what is loaded after the page: long lists, and the inbox of a user without sessions. */
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
    // Without sessions the page shows a guide, which depends on this browser.
    if (sessions.items.length === 0 || JSON.stringify(lists).length > longest) return null
    const project = projectIn(cookie, projects)
    return { ...lists, ask: project === undefined ? null : await whomToAsk(reads, project.id).catch(() => null) }
  })
}

async function whomToAsk(reads: PageReads, projectID: string): Promise<FirstInbox["ask"]> {
  const [{ config }, agents] = await Promise.all([reads.config.get({ projectID }), reads.agent.list({ projectID })])
  return { projectID, agent: usualAgent(config.default_agent, agents) }
}
