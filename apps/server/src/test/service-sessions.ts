import { MessageWithParts, Project, Session, Turn } from "@docket/core/schema"
import { z } from "zod"
import type { ServiceProcess } from "./service-process.ts"

const Tree = z.object({ sessions: z.array(Session), turns: z.array(Turn) })
const Messages = z.object({ items: z.array(MessageWithParts) })

/** A session of the project, with a title, so that no model is asked for one. */
export async function newSession(service: ServiceProcess, directory: string): Promise<string> {
  const project = Project.parse(await service.mutate("project.open", { directory }))
  return Session.parse(await service.mutate("session.create", { projectID: project.id, title: "Faults" })).id
}

/** Queues a prompt. */
export async function send(service: ServiceProcess, sessionID: string, text: string): Promise<Turn> {
  return Turn.parse(await service.mutate("session.promptAsync", { sessionID, parts: [{ type: "text", text }] }))
}

/** Prompts and resolves with the ended turn. */
export async function prompt(service: ServiceProcess, sessionID: string, text: string): Promise<Turn> {
  return Turn.parse(await service.mutate("session.prompt", { sessionID, parts: [{ type: "text", text }] }))
}

/** Whether no turn of the session runs or is queued. */
export async function isIdle(service: ServiceProcess, sessionID: string): Promise<boolean> {
  const { sessions, turns } = Tree.parse(await service.query("session.tree", { sessionID }))
  return turns.length === 0 && sessions.every(({ status }) => status.type === "idle")
}

/** The prompts in order, the texts, calls and errors of the answers, how many are unfinished, and the tokens used. */
export async function transcript(service: ServiceProcess, sessionID: string) {
  const { items } = Messages.parse(await service.query("session.messages", { sessionID, limit: 2_000 }))
  const answers = items.filter(({ info }) => info.role === "assistant").flatMap(({ parts }) => parts)
  return {
    calls: answers.flatMap((part) => (part.type === "tool" ? [part.state] : [])),
    texts: answers.flatMap((part) => (part.type === "text" ? [part.text] : [])),
    tokens: Session.parse(await service.query("session.get", { sessionID })).tokens,
    prompts: items.flatMap(({ info, parts }) =>
      info.role === "user" ? parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])) : [],
    ),
    errors: items.flatMap(({ info }) => (info.role === "assistant" && info.error ? [info.error.message] : [])),
    open: items.filter(({ info }) => info.role === "assistant" && info.time.completed === null).length,
  }
}
