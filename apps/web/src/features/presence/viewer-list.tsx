"use client"

import type { TreeStore } from "@docket/client"
import type { Viewer } from "@docket/core/schema"
import { Link2 } from "lucide-react"
import { PageLink } from "../../shell/page-link.tsx"
import { formatCount } from "../../ui/format-count.ts"
import { Initials } from "../../ui/person.tsx"
import { personName } from "../../ui/person-names.ts"
import { usePeople } from "../../ui/use-people.ts"
import { AllViewers } from "./all-viewers.tsx"
import { placeHref } from "./place-href.ts"
import { placeLabel } from "./place-label.ts"
import styles from "./presence.module.css"
import { useOthers } from "./tree-presence.tsx"

/** Number of viewers that the header shows. */
const most = 3

/**
 * The other viewers of the tree, each as a link to their place, and the number of share link readers. On a phone they
 * are in a list.
 */
export function ViewerList({ store }: { store: TreeStore }) {
  const { viewers, more, readers } = useOthers()
  const shown = viewers.slice(0, most)
  return (
    <>
      {shown.length === 0 ? null : (
        <ul className={styles.viewers} aria-label="Also here">
          {shown.map((viewer) => (
            <li key={viewer.person}>
              <OneViewer store={store} viewer={viewer} />
            </li>
          ))}
        </ul>
      )}
      <AllViewers store={store} rest={viewers.length + more - shown.length} />
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
  const name = personName(viewer, usePeople())
  const { tree } = store.get()
  const [place] = viewer.places
  const href = tree && place ? placeHref(tree, place) : null
  const doing = tree && place ? placeLabel(tree, place) : null
  const words = doing === null ? name : `${name} ${doing}`
  const initials = (
    <>
      <Initials person={viewer} />
      <span className="visually-hidden">{words}</span>
    </>
  )
  return href === null ? (
    <span className={styles.one} title={words}>
      {initials}
    </span>
  ) : (
    <PageLink className={styles.one} href={href} title={words}>
      {initials}
    </PageLink>
  )
}
