import { z } from "zod"
import { ProjectID, SessionID, TaskID } from "../../ground/schema/index.ts"
import type { SeenRef, TreeVisibility } from "../tree-visibility.ts"

export const SessionInput = z.object({ sessionID: SessionID })
export const TaskInput = z.object({ taskID: TaskID })
export const ProjectInput = z.object({ projectID: ProjectID })
/** A project; left out for operations that also work without one. */
export const MaybeProjectInput = z.object({ projectID: ProjectID.optional() })
/** A todo, memory or schedule by id or by its number. */
export const ItemRef = z.union([z.string().min(1).max(100), z.number().int().positive()])

export const inSession = ({ sessionID }: { sessionID: string }): SeenRef => ({ kind: "session", ref: sessionID })

/** Parses a number in an address. When it is not between 1 and `most`, the usual one counts. */
export function sizeOf(given: string | undefined, { usual, most }: { usual: number; most: number }): number {
  const size = Number(/^\d{1,9}$/.exec(given ?? "")?.[0] ?? 0)
  return size >= 1 && size <= most ? size : usual
}

/** Limits a procedure to what the schema takes; handwritten routes may pass `More`. */
export function givenAlso<More>() {
  return <Input>(schema: z.ZodType<More, Input>): z.ZodType<More, Input> => schema
}

/** Leaves out items whose root session is hidden. */
export async function seenOf<T>(
  visibility: TreeVisibility | null,
  items: readonly T[],
  rootOf: (item: T) => string | null,
): Promise<T[]> {
  const hidden = await visibility?.hidden()
  return items.filter((item) => hidden === undefined || !hidden.has(rootOf(item) ?? ""))
}
