/**
 * The choice of light or dark, and what else is settled before the first paint.
 */
import { createHash } from 'node:crypto'

/**
 * Runs before the first paint: marks that scripts run, and applies the reader's own theme, and says which
 * announcement they have put away. When the
 * browser program cannot be loaded the mark goes away again, and the page is as without scripts; scripts of others are
 * no modules.
 */
export const themeScript =
  "(function(r){r.classList.add('js');try{var l=localStorage,t=l.getItem('octavo-theme'),s=l.getItem('octavo-announcement');s&&r.setAttribute('data-seen',s);if(t&&r.hasAttribute('data-toggleable'))t=='system'?r.removeAttribute('data-theme'):r.setAttribute('data-theme',t)}catch(e){}addEventListener('error',function(e){if(e.target&&e.target.type==='module')r.classList.remove('js')},true)})(document.documentElement)"

/** What a Content-Security-Policy must allow in `script-src` beside `'self'` for `themeScript` to run. */
export const themeScriptHash = `'sha256-${createHash('sha256').update(themeScript).digest('base64')}'`
