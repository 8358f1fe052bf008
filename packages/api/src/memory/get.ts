import type { Memory } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"
import { MemoryRef } from "./input.ts"

export const getMemory = procedure
  .input(z.object({ memory: MemoryRef }))
  .query(({ ctx, input }): Promise<Memory> => ctx.runtime.memory.get(input.memory))
