import type { Row } from "../round.ts"
import { cutLink } from "./cut-link.ts"
import { dropListeners } from "./drop-listeners.ts"
import { fireSchedules } from "./fire-schedules.ts"
import { freezeWorker } from "./freeze-worker.ts"
import { killWorker } from "./kill-worker.ts"
import { loseHost } from "./lose-host.ts"
import { poison } from "./poison.ts"
import { restartDatabase } from "./restart-database.ts"
import { rollingDeploy } from "./rolling-deploy.ts"

/** In the order in which they are played. */
export const allRows: readonly Row[] = [
  killWorker,
  freezeWorker,
  cutLink,
  restartDatabase,
  dropListeners,
  loseHost,
  poison,
  fireSchedules,
  rollingDeploy,
]
