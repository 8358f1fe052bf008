import { sentStore, treeFromSeed } from "@docket/client"
import { TreesProvider } from "@docket/client/react"
import { useMemo } from "react"
import { FirstRows } from "#first-rows"
import { BriefAndResult } from "../../child/brief-and-result.tsx"
import { DeskCentre } from "../desk/desk-centre.tsx"
import { DeskColumns } from "../desk/desk-columns.tsx"
import { DeskViewSwitch } from "../desk/desk-view-switch.tsx"
import type { Columns } from "../desk/use-columns.ts"
import { useDesk } from "../desk/use-desk.ts"
import { useDeskNavigation } from "../desk/use-desk-ways.ts"
import { InspectorSpace } from "../inspector/inspector.tsx"
import styles from "../review-page.module.css"
import { briefOf } from "../task/brief-of.ts"
import { TaskTree } from "../task/task-tree.tsx"
import { useJudge } from "../verdict/use-judge.ts"
import { VerdictBar } from "../verdict/verdict-bar.tsx"
import type { FirstDeskView } from "./read-first-desk.ts"

export interface FirstDeskProps {
  first: FirstDeskView
}

const nothing = () => {}
/** The server renders all columns; the styles hide those that do not fit. */
const everyColumn: Columns = { tree: true, inspector: true }
const widths: { name: "onWide" | "onMiddle" | "onNarrow"; columns: Columns }[] = [
  { name: "onWide", columns: everyColumn },
  { name: "onMiddle", columns: { tree: true, inspector: false } },
  { name: "onNarrow", columns: { tree: false, inspector: false } },
]

/** The desk that is sent with the page. Rendered only on the server, by the components of the live desk. */
export function FirstDesk({ first }: FirstDeskProps) {
  const trees = useMemo(() => {
    const store = sentStore(treeFromSeed(first.seed).tree)
    return { tree: () => store, keep: () => nothing, onItem: () => nothing }
  }, [first])
  return (
    <TreesProvider trees={trees}>
      <StaticDesk first={first} />
    </TreesProvider>
  )
}

function StaticDesk({ first: { seed, part, brief } }: FirstDeskProps) {
  const { rootID } = seed
  const desk = useDesk(rootID)
  const navigation = useDeskNavigation(desk)
  const judge = useJudge(desk)
  const { row, task } = desk
  if (row === null) return null
  return (
    <>
      <div className={styles.map} />
      <DeskColumns
        columns={everyColumn}
        tree={<TaskTree rootID={rootID} rows={desk.rows} current={row.sessionID} onOpen={nothing} />}
        inspector={<InspectorSpace />}
        foot={
          task !== null && judge.isJudgeable ? (
            <VerdictBar task={task} review={row.review} judge={judge} onComment={nothing} />
          ) : null
        }
      >
        <DeskCentre
          desk={desk}
          row={row}
          navigation={navigation}
          brief={task && brief ? <BriefAndResult {...briefOf(brief, task.state)} /> : null}
          views={widths.map(({ name, columns }) => (
            <div key={name} className={styles[name]}>
              <DeskViewSwitch desk={desk} row={row} navigation={navigation} columns={columns} />
            </div>
          ))}
        >
          <div className={styles.content}>
            <FirstRows seed={seed} sessionID={row.sessionID} part={part} />
          </div>
        </DeskCentre>
      </DeskColumns>
    </>
  )
}
