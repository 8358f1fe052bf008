import { fileURLToPath } from "node:url"

/** The service that `docket serve` starts and that `docket run` starts when none is running. */
export const serverProgram = fileURLToPath(new URL("../../server/src/main.js", import.meta.url))

/** The program that works on a data directory itself, e.g. for backups. */
export const operatorProgram = fileURLToPath(new URL("../../server/src/operate.js", import.meta.url))
