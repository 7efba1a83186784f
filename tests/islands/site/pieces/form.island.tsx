import { type ReactNode, useState } from 'react'

/** Every kind of field, each held by state, which is printed as JSON. */
export function Form(): ReactNode {
  const [name, setName] = useState('')
  const [about, setAbout] = useState('')
  const [city, setCity] = useState('izmir')
  const [gender, setGender] = useState('')
  const [agreed, setAgreed] = useState(false)
  return (
    <form action="/form">
      <input name="username" value={name} onChange={(event) => setName(event.target.value)} />
      <textarea name="about" value={about} onChange={(event) => setAbout(event.target.value)} />
      <select name="city" value={city} onChange={(event) => setCity(event.target.value)}>
        <option value="izmir">İzmir</option>
        <option value="van">Van</option>
      </select>
      {['female', 'male'].map((value) => (
        <input
          key={value}
          type="radio"
          name="gender"
          value={value}
          checked={gender === value}
          onChange={() => setGender(value)}
        />
      ))}
      <input type="checkbox" name="agreed" checked={agreed} onChange={(event) => setAgreed(event.target.checked)} />
      <output>{JSON.stringify({ name, about, city, gender, agreed })}</output>
    </form>
  )
}
