import { z } from "zod"
import { SessionID, TaskID } from "../../ground/schema/index.ts"
import type { SeenRef } from "../sight.ts"

export const SessionInput = z.object({ sessionID: SessionID })
export const TaskInput = z.object({ taskID: TaskID })

export const inSession = ({ sessionID }: { sessionID: string }): SeenRef => ({ kind: "session", ref: sessionID })
export const ofTask = ({ taskID }: { taskID: string }): SeenRef => ({ kind: "task", ref: taskID })
