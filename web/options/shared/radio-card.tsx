import { Radio } from '@mantine/core'
import choice from '../../ui/form/choice.module.css'
import classes from './options.module.css'

/** One of several choices; the whole card is its label. */
export function RadioCard(props: { value: string; isChosen: boolean; label: string; help?: string }) {
  return (
    <Radio
      className={props.isChosen ? classes.chosenCard : classes.card}
      classNames={{ inner: classes.circle ?? '', radio: choice.mark ?? '', description: choice.help ?? '' }}
      value={props.value}
      label={props.label}
      description={props.help}
    />
  )
}
