import { InvalidArgumentError } from "commander"

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/**
 * Reads `--expires`: a duration such as `90m`, `12h`, `7d`, `2w`, or a date. Returns epoch ms.
 * @throws InvalidArgumentError
 */
export function parseExpires(given: string, now = Date.now()): number {
  const [, count = "", unit = ""] = /^(\d+)([mhdw])$/.exec(given) ?? []
  const time = count === "" ? Date.parse(given) : now + Number(count) * (units[unit] ?? Number.NaN)
  if (time > now) return time
  throw new InvalidArgumentError("Give a time from now, such as 12h or 7d, or a date that is still to come.")
}
