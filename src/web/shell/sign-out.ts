/** Signing out: ends the session of this browser and loads the page for visitors. */
export async function signOut(): Promise<void> {
  await fetch('/~octavo/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
  })
  location.assign('/')
}
