import { type Command, InvalidArgumentError, Option } from "commander"
import { finish } from "../finish.ts"
import { openedProject } from "../known-project.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { type Group, groups, statsLines } from "./stats-lines.ts"

interface StatsOptions extends ServiceOptions {
  days: number
  by?: Group
  project?: string
  json?: boolean
}

/** The most days that the service counts in one call. */
const mostDays = 366

/** `docket stats`. */
export function addStatsCommand(unwritten: AbortSignal, program: Command): void {
  addServiceOptions(program.command("stats"))
    .description("what was done and spent: turns, failures, time, tokens and cost, by day, model, agent and project")
    .option("--days <count>", "today and the days before it", parseDays, 30)
    .addOption(new Option("--by <what>", "only by this").choices(groups))
    .option("--project <directory>", "only what was done in a project")
    .option("--json", "as JSON, for programs")
    .action(({ days, by, ...options }: StatsOptions) =>
      finish(
        unwritten,
        withService(options, async (service) => {
          const { client } = service
          const of = options.project === undefined ? {} : { projectID: await openedProject(service, options.project) }
          const utcOffset = -new Date().getTimezoneOffset()
          const stats = await client.session.stats.query({ ...of, days, utcOffset })
          const projects = options.json ? [] : await client.project.list.query()
          const lines = options.json
            ? [JSON.stringify(stats, null, 2)]
            : statsLines(stats, by === undefined ? groups : [by], projects)
          for (const line of lines) process.stdout.write(`${line}\n`)
        }),
      ),
    )
}

/** @throws InvalidArgumentError */
function parseDays(given: string): number {
  const days = Number(given)
  if (/^\d+$/.test(given) && days >= 1 && days <= mostDays) return days
  throw new InvalidArgumentError(`Give a number from 1 to ${mostDays}.`)
}
