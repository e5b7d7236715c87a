/**
 * Inline script that runs before the first paint: colour theme, and what else would flicker.
 */
import { createHash } from 'node:crypto'

/**
 * Marks that scripts run, applies the reader's theme, and sets the dismissed announcement. If the client script fails
 * to load, the mark is removed, and the page is as without scripts; third-party scripts are not modules.
 */
export const themeScript =
  "(function(r){r.classList.add('js');try{var l=localStorage,t=l.getItem('octavo-theme'),s=l.getItem('octavo-announcement');s&&r.setAttribute('data-seen',s);if(t&&r.hasAttribute('data-toggleable'))t=='system'?r.removeAttribute('data-theme'):r.setAttribute('data-theme',t)}catch(e){}addEventListener('error',function(e){if(e.target&&e.target.type==='module')r.classList.remove('js')},true)})(document.documentElement)"

/** Source expression for `script-src` of a Content-Security-Policy that allows `themeScript`. */
export const themeScriptHash = `'sha256-${createHash('sha256').update(themeScript).digest('base64')}'`
