import type { Memory } from "@docket/core/schema"
import { procedure } from "../trpc.ts"
import { MemoryFields, MemoryRef } from "./input.ts"

const Input = MemoryFields.partial().extend({ memory: MemoryRef })

export const updateMemory = procedure
  .input(Input)
  .mutation(({ ctx, input: { memory, ...patch } }): Promise<Memory> => ctx.runtime.memory.update(memory, patch))
