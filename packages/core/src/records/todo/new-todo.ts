import type { Todo } from "../../ground/schema/index.ts"

interface Given {
  id: string
  number: number
  sessionID: string | null
  content: string
  position: number
  agent: string | null
  /** Epoch ms. */
  now: number
}

/** A pending todo of medium priority. */
export function newTodo({ id, number, sessionID, content, position, agent, now }: Given): Todo {
  return {
    id,
    number,
    sessionID,
    content,
    description: "",
    status: "pending",
    priority: "medium",
    position,
    agent,
    dependsOn: [],
    owner: null,
    proposed: null,
    time: { created: now, updated: now, completed: null },
  }
}
