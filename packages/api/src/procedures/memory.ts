import { records } from "@docket/core/operations"
import { type Memory, MemoryType, ProjectID, SessionID } from "@docket/core/schema"
import { z } from "zod"
import { allowed, router } from "../trpc.ts"
import { ItemRef } from "./input.ts"

const MemoryRef = z.object({ memory: ItemRef })
const Time = z.number().int().nonnegative()

const Fields = z.object({
  type: MemoryType,
  title: z.string().trim().min(1).max(200),
  content: z.string().max(65_536),
  source: z.string().max(200).optional(),
  tags: z.array(z.string().trim().min(1).max(64)).max(32).optional(),
})

const Scope = z.object({ projectID: ProjectID.optional(), sessionID: SessionID.optional() })

const SearchInput = Scope.extend({
  q: z.string().max(1_000).optional(),
  types: z.array(MemoryType).optional(),
  tag: z.string().max(64).optional(),
  /** Invalidated ones too. */
  all: z.boolean().optional(),
  asOf: Time.optional(),
  since: Time.optional(),
  before: Time.optional(),
  limit: z.number().int().min(1).max(200).optional(),
})

export const memoryRouter = router({
  /** Entries that a project or a session's conversation sees; best first with `q`, else last changed first. */
  search: allowed("read")
    .input(SearchInput)
    .query(({ ctx, input }): Promise<Memory[]> => ctx.runtime.memory.search(input)),

  get: allowed("read")
    .input(MemoryRef)
    .query(({ ctx, input }): Promise<Memory> => ctx.runtime.memory.get(input.memory)),

  /** Records a fact of a session's conversation, of a project, or of everyone when neither is named. */
  create: allowed("memory.edit", records("memory.edited", { facts: ["type"] }))
    .input(Fields.extend(Scope.shape))
    .mutation(({ ctx, input }): Promise<Memory> => ctx.runtime.memory.create(input)),

  update: allowed("memory.edit", records("memory.edited", { targets: ["memory"], facts: ["type"] }))
    .input(Fields.partial().extend(MemoryRef.shape))
    .mutation(({ ctx, input: { memory, ...patch } }): Promise<Memory> => ctx.runtime.memory.update(memory, patch)),

  /** Says that an entry no longer holds. It stays readable. */
  invalidate: allowed("memory.edit", records("memory.edited", { targets: ["memory"] }))
    .input(MemoryRef)
    .mutation(({ ctx, input }): Promise<Memory> => ctx.runtime.memory.invalidate(input.memory)),

  remove: allowed("memory.edit", records("memory.edited", { targets: ["memory"] }))
    .input(MemoryRef)
    .mutation(({ ctx, input }): Promise<void> => ctx.runtime.memory.remove(input.memory)),
})
