"use client"

import type { TreeStore } from "@docket/client"
import type { Viewer } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { Link2, Users } from "lucide-react"
import { PageLink } from "../../shell/page-link.tsx"
import { formatCount } from "../../ui/format-count.ts"
import { Initials } from "../../ui/person.tsx"
import { namesOf, personName } from "../../ui/person-words.ts"
import { usePeople } from "../../ui/use-people.ts"
import styles from "./presence.module.css"
import { useOthers } from "./tree-presence.tsx"
import { viewerHref } from "./viewer-href.ts"

/** People that a head has room for. */
const most = 3

/** Who else has the tree open, each as a way to where they are, and how many read it by links. */
export function ViewerList({ store }: { store: TreeStore }) {
  const { viewers, more, readers } = useOthers()
  const rest = viewers.length + more - Math.min(most, viewers.length)
  const all = namesOf(viewers, usePeople(), more)
  return (
    <>
      {viewers.length === 0 ? null : (
        <ul className={styles.viewers} aria-label="Also here">
          {viewers.slice(0, most).map((viewer) => (
            <li key={viewer.person}>
              <OneViewer store={store} viewer={viewer} />
            </li>
          ))}
          {rest > 0 ? (
            <li className={styles.rest} title={all}>
              +{rest}
              <span className="visually-hidden"> more</span>
            </li>
          ) : null}
        </ul>
      )}
      {viewers.length === 0 ? null : (
        <span className={styles.narrow} title={`Also here: ${all}`}>
          <Users size={13} aria-hidden />
          <span className="visually-hidden">Also here: {all}, </span>
          {viewers.length + more}
        </span>
      )}
      {readers === 0 ? null : (
        <span className={styles.readers} title={`${formatCount(readers, "reader")} by a link`}>
          <Link2 size={13} aria-hidden />
          {readers}
          <span className="visually-hidden"> {readers === 1 ? "reader" : "readers"} by a link</span>
        </span>
      )}
    </>
  )
}

function OneViewer({ store, viewer }: { store: TreeStore; viewer: Viewer }) {
  const { tree } = store.get()
  const href = tree === null ? null : viewerHref(tree, viewer)
  const place = viewer.places[0]
  const session = tree?.sessions[place?.sessionID ?? ""]
  const where =
    session === undefined ? "" : ` · at “${shortTitle(session)}”${place?.view === "review" ? ", reviewing" : ""}`
  const words = `${personName(viewer, usePeople())}${where}`
  const mark = <Initials person={viewer} />
  return href === null ? (
    <span className={styles.one} title={words}>
      {mark}
      <span className="visually-hidden">{words}</span>
    </span>
  ) : (
    <PageLink className={styles.one} href={href} title={words} aria-label={words}>
      {mark}
    </PageLink>
  )
}
