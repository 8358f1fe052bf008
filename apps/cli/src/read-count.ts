import { InvalidArgumentError } from "commander"

/** Reads a count from an option. @throws InvalidArgumentError */
export function readCount(given: string): number {
  const count = Number(given)
  if (Number.isSafeInteger(count) && count > 0) return count
  throw new InvalidArgumentError("give a whole number from 1 on")
}
