import { InvalidArgumentError } from "commander"

/** How many, as an option says it. @throws InvalidArgumentError */
export function readCount(given: string): number {
  const count = Number(given)
  if (Number.isSafeInteger(count) && count > 0) return count
  throw new InvalidArgumentError("give a whole number from 1 on")
}
