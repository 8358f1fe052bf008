import type { CreateId } from "../../ground/id/create-id.ts"
import type { Caller, PermissionPreset, PromptInput, Session, Turn } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { buildAgent, planAgent } from "../../setup/agent/plan-limits.ts"
import type { PlanEnterDeps } from "./plan-enter.ts"
import type { PlanExitDeps } from "./plan-exit.ts"

export interface StartModeDeps {
  store: Pick<Store, "turn" | "permission">
  createID: CreateId
  clock: () => number
  sessionByID(id: string): Promise<Session>
  setPreset(sessionID: string, preset: PermissionPreset | null, by: Caller): Promise<unknown>
  /** Queues a prompt that Docket wrote, in the name of who caused it. */
  enqueue(session: Session, input: PromptInput, by: Caller | undefined): Promise<Turn>
}

/** Switches a session between planning and building, by a prompt of Docket's own that waits for the turn to end. */
export function createStartMode(deps: StartModeDeps): Pick<PlanExitDeps, "startBuild"> & PlanEnterDeps {
  const switchTo = async (
    agent: string,
    text: string,
    of: { sessionID: string; partID: string; by: Caller | undefined },
  ) => {
    const { partID, by } = of
    const session = await deps.sessionByID(of.sessionID)
    const waiting = await deps.store.turn.open({ rootID: session.rootID })
    // A call that goes on after a crash may have done it already.
    if (waiting.some((turn) => turn.sessionID === session.id && startedBy(turn, partID))) return
    const notice = { kind: "mode", agent, partID } as const
    await deps.enqueue(session, { agent, parts: [{ type: "text", text, synthetic: true, notice }] }, by)
  }
  return {
    async startBuild({ file, editFreely, requestID, ...of }) {
      await liftPreset(deps, editFreely, of)
      if (editFreely) await allowEdits(deps, requestID, of)
      const text = `The plan in ${file} is approved, and you may edit files now. Read it as it stands there, and carry it out.`
      await switchTo(buildAgent, text, of)
    },
    startPlan: (of) =>
      switchTo(planAgent, "Plan mode was agreed to. Plan what was asked for, from what is known by now.", of),
  }
}

function startedBy({ input }: Turn, partID: string): boolean {
  return input.parts.some(
    (part) => part.type === "text" && part.notice?.kind === "mode" && part.notice.partID === partID,
  )
}

/** A preset under which no file, or none unasked, is changed gives way to what was approved. */
async function liftPreset(
  deps: StartModeDeps,
  editFreely: boolean,
  { sessionID, by }: { sessionID: string; by: Caller | undefined },
): Promise<void> {
  const { preset } = await deps.sessionByID(sessionID)
  if (by === undefined) return
  if (editFreely && (preset?.name === "plan" || preset?.name === "ask")) await deps.setPreset(sessionID, "edit", by)
  else if (preset?.name === "plan") await deps.setPreset(sessionID, null, by)
}

/** What the answer allows, as "always" for edits in this tree would. */
async function allowEdits(
  { store, createID, clock, sessionByID }: StartModeDeps,
  requestID: string,
  { sessionID, by }: { sessionID: string; by: Caller | undefined },
): Promise<void> {
  const { rootID } = await sessionByID(sessionID)
  const known = await store.permission.grants(rootID)
  if (known.some((grant) => grant.permission === "edit" && grant.pattern === "*" && grant.sessionID === undefined))
    return
  const said = { permission: "edit", pattern: "*", requestID, agent: planAgent, createdAt: clock(), ...(by && { by }) }
  await store.permission.addGrants([{ id: createID("grant"), rootID, ...said }])
}
