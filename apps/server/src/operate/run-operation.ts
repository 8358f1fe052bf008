import { isDocketError } from "@docket/core"
import { describeStartFailure } from "../describe-start-failure.ts"
import { env } from "../env.ts"
import { openContents } from "../nodes/open-contents.ts"
import { adopt } from "./adopt.ts"
import { backUp } from "./back-up.ts"
import { checkDatabase } from "./check-database.ts"
import { Operation, type Outcome, type Report } from "./operation.ts"
import { restore } from "./restore.ts"
import { importSecrets } from "./secrets/import-secrets.ts"
import { listSecrets } from "./secrets/list-secrets.ts"
import { removeSecrets } from "./secrets/remove-secrets.ts"
import { rotateSecrets } from "./secrets/rotate-secrets.ts"
import { toNodes } from "./to-nodes.ts"
import { toPostgres } from "./to-postgres.ts"

const say = (line: string) => void process.stderr.write(`docket: ${line}\n`)

/** Runs an operation for the command line. Resolves with its exit code: 0 done, 1 failed, 2 refused. */
export async function runOperation(asked: unknown): Promise<number> {
  const operation = Operation.parse(asked)
  // The parent process has ended. It is safe to exit at any time: an operation puts all in place in its last step.
  process.once("disconnect", () => process.exit(130))
  try {
    const { words, facts } = await perform(operation, say)
    process.stdout.write(operation.json ? `${JSON.stringify({ ok: true, ...facts })}\n` : `${words}\n`)
    return 0
  } catch (error) {
    const message = describeStartFailure(error, operation.data)
    if (message === null) throw error
    if (operation.json) process.stdout.write(`${JSON.stringify({ ok: false, error: message })}\n`)
    say(message)
    return isDocketError(error) ? 2 : 1
  }
}

async function perform(operation: Operation, report: Report): Promise<Outcome> {
  const database = env.DATABASE_URL ?? null
  switch (operation.kind) {
    case "backup":
      return backUp(
        { ...operation, database, blobs: database === null ? null : await openContents(env, report) },
        report,
      )
    case "restore":
      return restore({ ...operation, database: operation.toFile ? null : database }, report)
    case "to-postgres":
      return toPostgres({ ...operation, url: operation.url ?? database }, report)
    case "to-nodes":
      return toNodes({ ...operation, url: operation.url ?? database, blobs: await openContents(env, report) }, report)
    case "check":
      return checkDatabase({ ...operation, database }, report)
    case "secrets":
      return listSecrets({ ...operation, database })
    case "rotate-secrets": {
      const keys = { now: env.DOCKET_SECRET_KEY, next: env.DOCKET_SECRET_KEY_NEW }
      return rotateSecrets({ data: operation.data, database, keys })
    }
    case "import-secrets":
      return importSecrets({ ...operation, database, key: env.DOCKET_SECRET_KEY }, report)
    case "remove-secrets":
      return removeSecrets({ ...operation, database })
    case "adopt":
      return adopt({ ...operation, database }, report)
  }
}
