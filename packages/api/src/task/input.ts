import { TaskID } from "@docket/core/schema"
import { z } from "zod"

export const TaskInput = z.object({ taskID: TaskID })
