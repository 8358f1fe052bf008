import { OpenAgain } from "./open-again.tsx"
import styles from "./share.module.css"
import { SharePassword } from "./share-password.tsx"

/** The page of a dead link. It does not reveal whether the link ever existed. */
export function ShareGone() {
  return (
    <main className={styles.gone}>
      <h1>This link no longer works</h1>
      <p>
        It was revoked or has expired, or it is not for you. Ask the person who gave you the link for a new one. If you
        are signed in to this Docket, <OpenAgain />.
      </p>
      <SharePassword />
    </main>
  )
}
