package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// ifreqSize is the size of struct ifreq (linux/if.h).
const ifreqSize = 40

// nodad: the address is used at once, without a search for duplicates (linux/if_addr.h, IFA_F_NODAD).
const nodad = 0x02

// openInNewNamespace makes a network namespace with one device, over which it reaches everything, and returns the
// device and the path of the namespace. A thread is kept for as long as the process runs, because the namespace is its.
func openInNewNamespace(name string, addresses []netip.Prefix) (*os.File, string, error) {
	type result struct {
		file *os.File
		path string
		err  error
	}
	results := make(chan result)
	go func() {
		runtime.LockOSThread()
		if err := syscall.Unshare(syscall.CLONE_NEWNET); err != nil {
			results <- result{err: fmt.Errorf("unshare: %w", err)}
			return
		}
		path := fmt.Sprintf("/proc/%d/task/%d/ns/net", os.Getpid(), syscall.Gettid())
		file, err := openDevice(name, addresses, true)
		results <- result{file, path, err}
		select {}
	}()
	opened := <-results
	return opened.file, opened.path, opened.err
}

// openDevice makes a TUN device in the thread's network namespace: each read is a packet that the namespace sends, each
// write one that it receives.
func openDevice(name string, addresses []netip.Prefix, isDefaultRoute bool) (*os.File, error) {
	descriptor, err := syscall.Open("/dev/net/tun", syscall.O_RDWR|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("/dev/net/tun: %w", err)
	}
	var request [ifreqSize]byte
	copy(request[:syscall.IFNAMSIZ-1], name)
	binary.NativeEndian.PutUint16(request[syscall.IFNAMSIZ:], syscall.IFF_TUN|syscall.IFF_NO_PI)
	if err := control(descriptor, syscall.TUNSETIFF, &request); err != nil {
		return nil, fmt.Errorf("the device %s: %w", name, err)
	}
	index, err := findIndex(name)
	if err != nil {
		return nil, err
	}
	if err := configure(index, addresses, isDefaultRoute); err != nil {
		return nil, fmt.Errorf("the addresses of %s: %w", name, err)
	}
	return os.NewFile(uintptr(descriptor), name), nil
}

func findIndex(name string) (uint32, error) {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	defer syscall.Close(socket)
	var request [ifreqSize]byte
	copy(request[:syscall.IFNAMSIZ-1], name)
	if err := control(socket, syscall.SIOCGIFINDEX, &request); err != nil {
		return 0, err
	}
	return binary.NativeEndian.Uint32(request[syscall.IFNAMSIZ:]), nil
}

func control(descriptor int, operation uintptr, request *[ifreqSize]byte) error {
	_, _, code := syscall.Syscall(syscall.SYS_IOCTL, uintptr(descriptor), operation, uintptr(unsafe.Pointer(request)))
	if code != 0 {
		return code
	}
	return nil
}

// configure gives a device its addresses and, in a namespace of its own, the default routes, and starts loopback there.
func configure(index uint32, addresses []netip.Prefix, isDefaultRoute bool) error {
	if err := setUp(index); err != nil {
		return err
	}
	for _, prefix := range addresses {
		if err := addAddress(index, prefix); err != nil {
			return err
		}
	}
	if !isDefaultRoute {
		return nil
	}
	if err := setUp(1); err != nil { // loopback is the first device of a namespace
		return err
	}
	for _, prefix := range addresses {
		if err := addDefaultRoute(index, familyOf(prefix.Addr())); err != nil {
			return err
		}
	}
	return nil
}

func setUp(index uint32) error {
	body := syscall.IfInfomsg{Index: int32(index), Flags: syscall.IFF_UP, Change: syscall.IFF_UP}
	return sendNetlink(syscall.RTM_NEWLINK, 0, body)
}

func addAddress(index uint32, prefix netip.Prefix) error {
	address := prefix.Addr()
	body := syscall.IfAddrmsg{Family: familyOf(address), Prefixlen: uint8(prefix.Bits()), Index: index}
	if address.Is6() {
		body.Flags = nodad
	}
	value := address.AsSlice()
	return sendNetlink(syscall.RTM_NEWADDR, syscall.NLM_F_CREATE|syscall.NLM_F_EXCL, body,
		attribute{syscall.IFA_LOCAL, value}, attribute{syscall.IFA_ADDRESS, value})
}

func addDefaultRoute(index uint32, family uint8) error {
	body := syscall.RtMsg{
		Family: family, Table: syscall.RT_TABLE_MAIN, Protocol: syscall.RTPROT_STATIC,
		Scope: syscall.RT_SCOPE_LINK, Type: syscall.RTN_UNICAST,
	}
	value := binary.NativeEndian.AppendUint32(nil, index)
	return sendNetlink(syscall.RTM_NEWROUTE, syscall.NLM_F_CREATE, body, attribute{syscall.RTA_OIF, value})
}

func familyOf(address netip.Addr) uint8 {
	if address.Is6() {
		return syscall.AF_INET6
	}
	return syscall.AF_INET
}

// attribute is one of a netlink message; values have a multiple of four bytes here.
type attribute struct {
	kind  uint16
	value []byte
}

// sendNetlink sends one request of rtnetlink (RFC 3549) and waits for its acknowledgement.
func sendNetlink(kind uint16, flags uint16, body any, attributes ...attribute) error {
	socket, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, syscall.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer syscall.Close(socket)
	var content bytes.Buffer
	write := func(value any) { _ = binary.Write(&content, binary.NativeEndian, value) } // a buffer accepts all
	write(body)
	for _, item := range attributes {
		write(syscall.RtAttr{Len: uint16(syscall.SizeofRtAttr + len(item.value)), Type: item.kind})
		write(item.value)
	}
	header := syscall.NlMsghdr{
		Len:  uint32(syscall.SizeofNlMsghdr + content.Len()),
		Type: kind, Flags: flags | syscall.NLM_F_REQUEST | syscall.NLM_F_ACK,
	}
	var message bytes.Buffer
	_ = binary.Write(&message, binary.NativeEndian, header)
	message.Write(content.Bytes())
	if err := syscall.Sendto(socket, message.Bytes(), 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK}); err != nil {
		return err
	}
	answer := make([]byte, 4096)
	length, _, err := syscall.Recvfrom(socket, answer, 0)
	if err != nil {
		return err
	}
	if length < syscall.SizeofNlMsghdr+4 {
		return fmt.Errorf("netlink answered %d bytes", length)
	}
	if code := int32(binary.NativeEndian.Uint32(answer[syscall.SizeofNlMsghdr:])); code != 0 {
		return syscall.Errno(-code)
	}
	return nil
}
