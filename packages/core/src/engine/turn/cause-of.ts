import type { Caller, Turn } from "../../ground/schema/index.ts"

/** For whom a turn works; null where nobody is known. */
export function causeOf({ cause, by }: Pick<Turn, "cause" | "by">): Caller | null {
  return cause ?? by ?? null
}
