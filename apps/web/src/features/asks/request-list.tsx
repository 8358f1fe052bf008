"use client"

import { actText } from "@docket/core/rule"
import { useMe } from "../../shell/me.tsx"
import { formatCount } from "../../ui/format-count.ts"
import styles from "./ask-card.module.css"
import { listedRequests, type RequestGroup } from "./request-groups.ts"

interface RequestListProps {
  groups: RequestGroup[]
  /** The request that is shown in detail. */
  current: string
  onChoose(id: string): void
}

/** Scrolls only the list to the item, never the page. */
function showInList(item: HTMLElement | null): void {
  const list = item?.closest("nav")
  if (!item || !list) return
  const above = item.offsetTop - list.offsetTop
  if (above < list.scrollTop || above + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = above - list.clientHeight / 2
  }
}

/** All open requests of the tree, by task. A press shows a request in detail, to be answered. */
export function RequestList({ groups, current, onChoose }: RequestListProps) {
  const count = formatCount(listedRequests(groups).length, "request")
  return (
    <nav className={styles.list} aria-label={`${count} wait for ${useMe().can("answer") ? "you" : "an answer"}`}>
      {groups.map(({ sessionID, path, agent, requests }) => (
        <div key={sessionID} className={styles.group}>
          <p className={styles.from}>{path.length > 0 ? path.join(" › ") : `This session, ${agent}`}</p>
          <ul>
            {requests.map(({ request, shown }) => (
              <li key={request.id}>
                <button
                  type="button"
                  className={styles.item}
                  ref={request.id === current ? showInList : null}
                  aria-current={request.id === current ? "true" : undefined}
                  onClick={() => onChoose(request.id)}
                >
                  <span className={styles.words}>
                    {shown.command === null ? actText(shown) : <code>{shown.command.split("\n")[0]}</code>}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
