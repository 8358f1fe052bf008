import { z } from "zod"
import { MemoryType, ProjectID, SessionID } from "../../ground/schema/index.ts"
import type { MemoryService } from "../../records/memory/memory-service.ts"
import { records } from "./audit-rule.ts"
import { givenAlso, ItemRef } from "./input.ts"
import { mutation, query } from "./operation.ts"

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
  /** Also finds invalidated entries. */
  all: z.boolean().optional(),
  asOf: Time.optional(),
  since: Time.optional(),
  before: Time.optional(),
  limit: z.number().int().min(1).max(200).optional(),
})

export const memoryOperations = {
  /** The entries that a project or a session sees. The best match comes first with `q`, else the last change. */
  search: query({
    input: givenAlso<Parameters<MemoryService["search"]>[0]>()(SearchInput),
    needs: "rows",
    run: ({ memory }, asked) => memory.search(asked),
    newest: { usual: 50, most: 10_000, sessionOf: (entry) => entry.sessionID },
  }),

  /** One entry. */
  get: query({ input: MemoryRef, needs: "rows", run: ({ memory }, ref) => memory.get(ref.memory) }),

  /** Records a fact of a session, of a project, or of everyone when you name neither. */
  create: mutation({
    capability: "memory.edit",
    audit: records("memory.edited", { facts: ["type"] }),
    input: givenAlso<Omit<Parameters<MemoryService["create"]>[0], "id">>()(Fields.extend(Scope.shape)),
    idempotent: { row: "memory" },
    needs: "rows",
    run: ({ memory }, fields, { id }) => memory.create({ ...fields, id }),
  }),

  /** Changes one entry. */
  update: mutation({
    capability: "memory.edit",
    audit: records("memory.edited", { targets: ["memory"], facts: ["type"] }),
    input: Fields.partial().extend(MemoryRef.shape),
    needs: "rows",
    run: ({ memory }, { memory: ref, ...patch }) => memory.update(ref, patch),
  }),

  /** Marks an entry as no longer true. It can still be read. */
  invalidate: mutation({
    capability: "memory.edit",
    audit: records("memory.edited", { targets: ["memory"] }),
    input: MemoryRef,
    needs: "rows",
    run: ({ memory }, ref) => memory.invalidate(ref.memory),
  }),

  /** Removes one entry. */
  remove: mutation({
    capability: "memory.edit",
    audit: records("memory.edited", { targets: ["memory"] }),
    input: MemoryRef,
    needs: "rows",
    run: ({ memory }, ref) => memory.remove(ref.memory),
  }),
}
