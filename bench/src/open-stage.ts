import { openDesk } from "./desk.ts"
import { fillSession } from "./fill-session.ts"
import type { Stage } from "./measurement.ts"
import { createWorkplace } from "./workplace.ts"

export interface OpenStage {
  stage: Stage
  /** Stops the server and removes its files. The provider keeps running. */
  close(): Promise<void>
}

/** Starts a server of a checkout, with its own project and client. */
export async function openStage(parts: Pick<Stage, "provider" | "checkout" | "soak">): Promise<OpenStage> {
  const workplace = await createWorkplace(parts)
  const server = await workplace.startServer()
  const desk = await openDesk(server, workplace.project)
  const filled = new Map<number, Promise<string>>()
  const filledSession = (turns: number) => {
    const known = filled.get(turns) ?? fillSession(desk, turns)
    filled.set(turns, known)
    return known
  }
  const close = async () => {
    desk.close()
    await server.stop()
    await workplace.remove()
  }
  return { stage: { ...parts, workplace, server, desk, filledSession }, close }
}
