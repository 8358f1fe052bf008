import { SessionID, type Todo, type TodoStatus } from "@docket/core/schema"
import { z } from "@hono/zod-openapi"

/** Spelled as in Arbiter, the program whose API `/v1` follows: `canceled` has one l. */
export const WireStatus = z.enum(["pending", "in_progress", "completed", "canceled"])

/**
 * A todo as `/v1/todos` shows it. Times are epoch seconds, 0 for none. `conversation_id` is the id of the session, or 0
 * for a tenant-wide item. Session ids stay texts: with numbers, each call would have to look up the session.
 */
export const WireTodo = z.object({
  id: z.number().int().positive(),
  conversation_id: z.union([z.literal(0), SessionID]),
  agent_id: z.string(),
  subject: z.string(),
  description: z.string(),
  status: WireStatus,
  position: z.number().int().nonnegative(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
  completed_at: z.number().int(),
})
export type WireTodo = z.infer<typeof WireTodo>

const Subject = z
  .string({ error: "required field: subject" })
  .trim()
  .min(1, { error: "required field: subject" })
  .max(2_000, { error: "subject is longer than 2000 characters" })
const Description = z.string().max(20_000, { error: "description is longer than 20000 characters" })
const Status = z
  .enum(WireStatus.options, { error: `status must be one of: ${WireStatus.options.join(", ")}` })
  .describe("pending, in_progress, completed or canceled")
/** Epoch seconds; 0 clears it. */
const CompletedAt = z.number().int().nonnegative()

/** Stored as it is sent. The limit leaves room in a 32-bit column for the positions of later items. */
const Position = z.number().int().nonnegative().max(1_000_000_000)

export const WireTodoInput = z.object({
  subject: Subject,
  description: Description.default(""),
  /** `index` is Arbiter's name for its main agent. */
  agent_id: z.string().min(1).max(200).default("index"),
  conversation_id: z.union([z.literal(0), z.string(), z.number()]).default(0),
  status: Status.default("pending"),
  position: Position.optional().describe(
    "the place among items of its status; equal ones are possible. The end without it",
  ),
  completed_at: CompletedAt.optional(),
})

export const WireTodoPatch = z.object({
  subject: Subject.optional(),
  description: Description.optional(),
  status: Status.optional(),
  position: Position.optional().describe("stored as sent; other items keep theirs"),
  completed_at: CompletedAt.optional(),
})
export type WireTodoPatch = z.infer<typeof WireTodoPatch>

export const WireTodoBatchItem = WireTodoPatch.extend({ id: z.number().int() })
/** Described with its schema, but each item is parsed by itself, so that a wrong one fails alone. */
const BatchItem = z.unknown().openapi(jsonSchema(WireTodoBatchItem))

/** Several patches: a list, or a list as `todos`. */
export const TodoBatch = z
  .union([z.array(BatchItem), z.object({ todos: z.array(BatchItem) })], {
    error: "body must be an array or an object with an array `todos`",
  })
  .transform((body) => (Array.isArray(body) ? body : body.todos))
  .refine((items) => items.length <= 500, { error: "at most 500 todos in one request" })

export function toWireTodo(todo: Todo): WireTodo {
  return {
    id: todo.number,
    conversation_id: todo.sessionID ?? 0,
    agent_id: todo.agent ?? "",
    subject: todo.content,
    description: todo.description,
    status: todo.status === "cancelled" ? "canceled" : todo.status,
    position: todo.position,
    created_at: seconds(todo.time.created),
    updated_at: seconds(todo.time.updated),
    completed_at: seconds(todo.time.completed ?? 0),
  }
}

export function fromWireStatus(status: z.infer<typeof WireStatus>): TodoStatus {
  return status === "canceled" ? "cancelled" : status
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000)
}

function jsonSchema(schema: z.ZodType): object {
  const { type, properties, required } = z.toJSONSchema(schema)
  return { type, properties, required }
}
