/** Starter content: the page of a sample space, short and written with blocks of the dialect. */
export const samplePage = `# Welcome

This is the first page of your documentation. Change it, or delete it and begin with your own.

## How it works

{% stepper %}
{% step %}
### Write

Pages are Markdown. What you write is stored as it is, and can be taken out again at any time.
{% endstep %}

{% step %}
### Review

A change request collects edits until they are ready, and shows what would change.
{% endstep %}

{% step %}
### Publish

Merged changes appear on the site at once.
{% endstep %}
{% endstepper %}

{% hint style="info" %}
Press \`Ctrl\` and \`K\` to search this site.
{% endhint %}

## Where to go next

* Add a page for the question that readers ask most.
* Link to it from here, so that it is found.
`
