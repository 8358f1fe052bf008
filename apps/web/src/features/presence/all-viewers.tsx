"use client"

import type { TreeStore } from "@docket/client"
import type { Viewer, ViewerPlace } from "@docket/core/schema"
import type { TreeState } from "@docket/core/tree"
import { Popover } from "@mantine/core"
import { Link2, Users } from "lucide-react"
import { useState } from "react"
import { useLayer } from "../../shell/layers-provider.tsx"
import { PageLink } from "../../shell/page-link.tsx"
import { formatCount } from "../../ui/format-count.ts"
import { Initials, PersonName } from "../../ui/person.tsx"
import { placeHref } from "./place-href.ts"
import { placeLabel } from "./place-label.ts"
import styles from "./presence.module.css"
import { useOthers } from "./tree-presence.tsx"

/**
 * A button that lists all other viewers with their places. It shows `rest`: how many of them are not already shown
 * beside it.
 */
export function AllViewers({ store, rest }: { store: TreeStore; rest: number }) {
  const { viewers, more, readers } = useOthers()
  const [opened, setOpened] = useState(false)
  const close = () => setOpened(false)
  useLayer(opened, close, "phone")
  const people = viewers.length + more
  const count = [
    people > 0 ? formatCount(people, "person", "people") : "",
    readers > 0 ? `${formatCount(readers, "reader")} by a link` : "",
  ]
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={300} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <button type="button" className={styles.all} data-rest={rest} onClick={() => setOpened(!opened)}>
          <span className="visually-hidden">Also here: {count.filter((each) => each !== "").join(", ")}</span>
          <span className={styles.rest} aria-hidden>
            +{rest}
          </span>
          <span className={styles.narrow} aria-hidden>
            <Users size={15} />
            {people + readers}
          </span>
        </button>
      </Popover.Target>
      <Popover.Dropdown className={styles.sheet ?? ""} aria-label="Also here">
        <h2 className={styles.heading}>Also here</h2>
        <ul className={styles.list}>
          {viewers.map((viewer) => (
            <Places key={viewer.person} tree={store.get().tree} viewer={viewer} onNavigate={close} />
          ))}
          {more > 0 ? <li className={styles.note}>and {formatCount(more, "person", "people")} more</li> : null}
          {readers > 0 ? (
            <li className={styles.note}>
              <Link2 size={14} aria-hidden /> {formatCount(readers, "reader")} by a link
            </li>
          ) : null}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}

/** The places that a viewer has open, each as a link. */
function Places({ tree, viewer, onNavigate }: { tree: TreeState | null; viewer: Viewer; onNavigate: () => void }) {
  const places: (ViewerPlace | null)[] = viewer.places.length === 0 ? [null] : viewer.places
  return places.map((place) => {
    const href = tree && place ? placeHref(tree, place) : null
    const who = (
      <>
        <Initials person={viewer} />
        <span className={styles.who}>
          <PersonName person={viewer} />
          {tree && place ? <span className={styles.where}>{placeLabel(tree, place)}</span> : null}
        </span>
      </>
    )
    return (
      <li key={place === null ? "" : `${place.view}:${place.sessionID}`}>
        {href === null ? (
          <span className={styles.person}>{who}</span>
        ) : (
          <PageLink href={href} className={styles.person} onClick={onNavigate}>
            {who}
          </PageLink>
        )}
      </li>
    )
  })
}
